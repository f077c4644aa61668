"""What a page must show of each scene: one module a scene, with a function `truth`."""
