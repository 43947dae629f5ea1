"""What must hold in every game: searched for counterexamples with hypothesis, in all combinations."""
