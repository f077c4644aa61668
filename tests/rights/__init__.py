"""The right values of each exercise, by formulas typed out, as the integers that a worker sends: `right`.

One module an exercise; `MISTAKES` there are names of wrong answers that `lanes.diagnose` does not have.
"""
