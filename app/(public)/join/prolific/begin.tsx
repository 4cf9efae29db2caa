'use client';

import { useActionState, useSyncExternalStore } from 'react';
import { ActionForm, FormError } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import type { Query } from '@/lib/crowd/recruit';
import { beginVisit } from './begin-visit';

const nothingToHear = () => () => {};
const isInFrame = () => window.self !== window.top;

/** Inside a page of the marketplace no session can begin: browsers keep our cookie from frames of other sites. */
const useIsFramed = () => useSyncExternalStore(nothingToHear, isInFrame, () => false);

export function Begin({ query, signedInAs }: { query: Query; signedInAs: string | null }) {
  const [state, action] = useActionState(beginVisit.bind(null, query), {});
  const isFramed = useIsFramed();
  if (isFramed) return <OpenOutside />;
  return (
    <ActionForm action={action} className="flex flex-col gap-3">
      <FormError>{state.error}</FormError>
      {state.over ? (
        <div role="status" className="rounded-md border border-line bg-sunken px-3 py-2">
          <p>{state.over.says}</p>
          {state.over.completionUrl && (
            <p>
              <a href={state.over.completionUrl} className="text-accent underline">
                Go back to Prolific
              </a>
            </p>
          )}
        </div>
      ) : (
        <SubmitButton className="h-9">Begin</SubmitButton>
      )}
      {signedInAs && (
        <p className="text-xs text-ink-3">
          This browser is signed in as {signedInAs}. If that is not you from an earlier visit, beginning signs{' '}
          {signedInAs} out.
        </p>
      )}
    </ActionForm>
  );
}

function OpenOutside() {
  return (
    <p>
      <a href={window.location.href} target="_blank" rel="noopener" className="text-accent underline">
        Open the study in a window of its own
      </a>{' '}
      to begin.
    </p>
  );
}
