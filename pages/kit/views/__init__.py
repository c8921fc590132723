"""What a concept page shows below its question: one module a page, one function a way of looking."""
