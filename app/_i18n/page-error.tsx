'use client';

import { useTranslations } from 'next-intl';
import { Button, ButtonLink } from '@/app/_ui/button';
import { ErrorState } from '@/app/_ui/error-state';

/** In production the message of a server error stays on the server; its digest finds it in the log. */
const digestOf = (error: unknown) =>
  error instanceof Error && 'digest' in error ? String(error.digest) : undefined;

interface PageErrorProps {
  error: unknown;
  retry: () => void;
  /** Where the second button leads. */
  home: string;
}

/** A page that failed on the server, in the reader's language. */
export function PageError({ error, retry, home }: PageErrorProps) {
  const t = useTranslations('errors');
  return (
    <ErrorState
      title={t('pageTitle')}
      requestId={digestOf(error)}
      referenceLabel={t('reference')}
      action={
        <>
          <Button variant="primary" onClick={retry}>
            {t('retry')}
          </Button>
          <ButtonLink href={home}>{t('home')}</ButtonLink>
        </>
      }
    >
      {t('pageText')}
    </ErrorState>
  );
}
