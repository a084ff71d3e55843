"""What the services share: errors, configuration, RPC, storage, models. No domain in here."""
