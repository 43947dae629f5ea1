"""For operators: the server and its workers, the scheduler and its jobs, logs, metrics."""
