"""The languages of sheets: KIF and HRF as programs of the rule language, and back."""
