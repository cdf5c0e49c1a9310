"""What knows nothing of statistics: errors, checks, words, progress."""
