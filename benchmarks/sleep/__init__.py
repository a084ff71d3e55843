"""What a cycle of sleep costs those who search meanwhile."""
