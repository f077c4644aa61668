// The results of a search show a line of each page, which a browser does not read from files.

if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
