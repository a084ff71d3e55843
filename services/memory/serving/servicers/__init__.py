"""What each rpc reads, calls and answers: one file a service, or a part of one."""
