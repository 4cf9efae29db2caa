'use client';

import { PageError } from '@/app/_i18n/page-error';

export default function PublicError({ error, retry }: { error: unknown; retry: () => void }) {
  return <PageError error={error} retry={retry} home="/" />;
}
