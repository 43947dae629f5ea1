"""What an operator runs and watches: the server, the scheduler, logs, metrics."""
