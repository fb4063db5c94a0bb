"""L2 constructs for AWS Batch quota management. Importing a construct starts the CDK's Node process."""
