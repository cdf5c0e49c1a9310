"""Tables of units: cells, columns, layouts."""
