"""What people and programs read: one model of a report, a renderer for every format, a style."""
