import Link from 'next/link';

export interface Crumb {
  label: string;
  href?: string;
}

export function Breadcrumb({ crumbs }: { crumbs: Crumb[] }) {
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <ol className="flex min-w-0 items-center text-ink-2">
        {crumbs.map((crumb, index) => (
          <li
            key={crumb.href ?? crumb.label}
            className={index === crumbs.length - 1 ? 'flex min-w-0' : 'hidden shrink-0 sm:flex'}
          >
            {crumb.href && index < crumbs.length - 1 ? (
              <Link href={crumb.href} className="max-w-48 truncate hover:text-ink hover:underline">
                {crumb.label}
              </Link>
            ) : (
              <span aria-current="page" className="truncate font-medium text-ink">
                {crumb.label}
              </span>
            )}
            {index < crumbs.length - 1 && (
              <span aria-hidden className="px-1.5 text-ink-3">
                /
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
