"""Rule books: made from the rules of many scripts, and how scripts are mapped onto one."""
