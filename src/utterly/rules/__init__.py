"""Rule books: how they are built from the rules of many scripts, and how scripts are mapped onto them."""
