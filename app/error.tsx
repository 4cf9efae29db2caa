'use client';

import { TranslatedError } from './_i18n/translated-error';
import { Button, ButtonLink } from './_ui/button';
import { ErrorState } from './_ui/error-state';

/** Pages below the console, and layouts that failed before they could translate anything. */
export default function RootError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <div className="mx-auto max-w-2xl py-16">
      <TranslatedError error={error} retry={retry} home="/">
        <ErrorState
          title="This page could not be shown"
          action={
            <>
              <Button variant="primary" onClick={retry}>
                Try again
              </Button>
              <ButtonLink href="/">Go to the start page</ButtonLink>
            </>
          }
        >
          Something went wrong on the server. Nothing you saved is lost. Try again.
        </ErrorState>
      </TranslatedError>
    </div>
  );
}
