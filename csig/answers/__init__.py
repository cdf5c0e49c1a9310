"""What csig compare answers: it reads, tests and says what there is to say."""
