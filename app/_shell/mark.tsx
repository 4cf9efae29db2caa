/** Tessera's sign: three laid tiles and the place of the fourth. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className={className}>
      <path d="M1 1h6.25v6.25H1zM8.75 1H15v6.25H8.75zM1 8.75h6.25V15H1z" fill="currentColor" />
      <path d="M9.25 9.25h5.25v5.25H9.25z" fill="none" stroke="var(--color-accent)" />
    </svg>
  );
}
