"""
What is deployed and what has run, asked of the service; nothing is ever changed there.

boto3 is loaded here and nowhere else, and only when a command asks the service something.
"""
