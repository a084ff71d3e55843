"""Links of a session: causes and order, as far as its calls show them."""
