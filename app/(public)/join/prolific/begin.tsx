'use client';

import { useTranslations } from 'next-intl';
import { useActionState, useSyncExternalStore } from 'react';
import { ActionForm, FormError } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import type { Query } from '@/lib/services/crowd/recruit';
import { beginVisit } from './begin-visit';

const noSubscription = () => () => {};
const isInFrame = () => window.self !== window.top;

/** Inside a page of the marketplace no session can begin: browsers keep our cookie from frames of other sites. */
const useIsFramed = () => useSyncExternalStore(noSubscription, isInFrame, () => false);

export function Begin({ query, signedInAs }: { query: Query; signedInAs: string | null }) {
  const [state, action] = useActionState(beginVisit.bind(null, query), {});
  const isFramed = useIsFramed();
  const t = useTranslations('prolific');
  if (isFramed) return <OpenOutside />;
  return (
    <ActionForm action={action} className="flex flex-col gap-3">
      <FormError>{state.error}</FormError>
      {state.over ? (
        <div role="status" className="rounded-md border border-line bg-sunken px-3 py-2">
          <p>{t('over', { state: state.over.state })}</p>
          {state.over.completionUrl && (
            <p>
              <a href={state.over.completionUrl} className="text-accent underline">
                {t('back')}
              </a>
            </p>
          )}
        </div>
      ) : (
        <SubmitButton className="h-9">{t('begin')}</SubmitButton>
      )}
      {signedInAs && <p className="text-xs text-ink-3">{t('signedInAs', { name: signedInAs })}</p>}
    </ActionForm>
  );
}

function OpenOutside() {
  const t = useTranslations('prolific');
  return (
    <p>
      {t.rich('openOutside', {
        link: (text) => (
          <a href={window.location.href} target="_blank" rel="noopener" className="text-accent underline">
            {text}
          </a>
        ),
      })}
    </p>
  );
}
