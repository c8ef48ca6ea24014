"""Views for models and people: the compass (a whole layout in words) and the microscope (a window in exact numbers)."""
