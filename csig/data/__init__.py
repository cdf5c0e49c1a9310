"""What is compared: units, responses, labels, and how they become matrices."""
