'use client';

import { PageError } from '@/app/_i18n/page-error';

export default function AnnotatorError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <main className="mx-auto max-w-2xl">
      <PageError error={error} retry={retry} home="/annotate" />
    </main>
  );
}
