'use client';

import { Toaster } from 'sonner';

export { toast } from 'sonner';

/** Short news about what the person just did. Errors that need action stand on the page instead. */
export function Toasts() {
  return (
    <Toaster
      position="bottom-center"
      gap={8}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-full items-center gap-2 rounded-lg border border-line bg-raised px-3 py-2 text-sm text-ink shadow-overlay sm:w-96',
          title: 'font-medium',
          description: 'text-xs text-ink-2',
          actionButton: 'ml-auto rounded-sm px-2 py-1 text-xs font-medium text-accent hover:bg-hover',
          success: '[&_[data-icon]]:text-good',
          error: '[&_[data-icon]]:text-bad',
          warning: '[&_[data-icon]]:text-warn',
          info: '[&_[data-icon]]:text-accent',
        },
      }}
    />
  );
}
