"""How much of what must go does go, what goes with it by mistake, and what that costs."""
