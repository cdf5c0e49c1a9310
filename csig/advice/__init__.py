"""Which tests suit what data: the facts, the rules on them, and the sources of the rules."""
