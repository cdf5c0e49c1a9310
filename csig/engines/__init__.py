"""How a p-value is computed: one engine a module."""
