"""The board in the browser: a Starlette application and one page without a build step."""
