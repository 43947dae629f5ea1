"""Pictures of our pages: a service with made-up people whose games were played by the rules, and a browser.

What may not enter: anything that the service needs while it serves.
"""
