"""Our pages, and pages of other sites that play here, in a real Chromium."""
