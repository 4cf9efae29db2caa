import type { ReactNode } from 'react';

interface PageHeaderProps {
  title: ReactNode;
  /** State words, counts: what the page is about right now. */
  facts?: ReactNode;
  description?: ReactNode;
  /** The one main action of the page. */
  action?: ReactNode;
  /** Lesser actions, left of the main one. */
  more?: ReactNode;
}

export function PageHeader({ title, facts, description, action, more }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-start gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-64">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 text-xl font-semibold tracking-tight text-balance wrap-anywhere">{title}</h1>
          {facts && <div className="flex flex-wrap items-center gap-3 text-ink-2">{facts}</div>}
        </div>
        {description && <p className="mt-1 max-w-prose text-ink-2 wrap-anywhere">{description}</p>}
      </div>
      {(action || more) && (
        <div className="flex flex-wrap items-center gap-2">
          {more}
          {action}
        </div>
      )}
    </header>
  );
}

/** The column a page is set in: wide for tables and pictures, narrow for forms and reading. */
export const Page = ({ narrow, children }: { narrow?: boolean; children: ReactNode }) => (
  <div className={`mx-auto flex w-full flex-col gap-6 p-6 pb-20 ${narrow ? 'max-w-3xl' : 'max-w-[110rem]'}`}>
    {children}
  </div>
);
