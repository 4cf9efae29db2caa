'use client';

import { Button, ButtonLink } from './_ui/button';
import { ErrorState } from './_ui/error-state';

/** In production the message of a server error stays on the server; its digest finds it in the log. */
const digestOf = (error: unknown) =>
  error instanceof Error && 'digest' in error ? String(error.digest) : undefined;

export default function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <ErrorState
      className="mx-auto max-w-2xl py-16"
      title="This page could not be drawn"
      requestId={digestOf(error)}
      action={
        <>
          <Button variant="primary" onClick={retry}>
            Try again
          </Button>
          <ButtonLink href="/">Go to your home page</ButtonLink>
        </>
      }
    >
      Something failed on the server. Nothing you saved is lost. Try again; if it fails again, give the
      reference to whoever runs this installation: it is in the log.
    </ErrorState>
  );
}
