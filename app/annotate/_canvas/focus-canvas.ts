/** Back to the drawing, for the keys that work there. */
export function focusCanvas(): void {
  document.querySelector<HTMLElement>('[role="application"]')?.focus({ preventScroll: true });
}
