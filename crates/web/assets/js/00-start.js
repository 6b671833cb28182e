// The script of all pages.
