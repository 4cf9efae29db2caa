import type { ReactNode } from 'react';

/** A mark of a drawing that leads to what it was made of; without an address only the mark. */
export const Linked = ({
  href,
  label,
  children,
}: {
  href: string | null | undefined;
  label: string;
  children: ReactNode;
}) =>
  href ? (
    <a href={href} aria-label={label} className="hover:opacity-70">
      {children}
    </a>
  ) : (
    children
  );
