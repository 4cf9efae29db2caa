import { useTranslations } from 'next-intl';
import { useCallback } from 'react';
import type messages from '@/messages/en.json';
import { Refused } from './api';

export type WorkText = ReturnType<typeof useTranslations<'work'>>;

type ErrorCode = keyof (typeof messages)['errors']['codes'];

/** Why a request failed, in the language of the page. The server answers in English and with a code. */
export type ExplainProblem = (error: unknown) => string;

export function useExplainProblem(): ExplainProblem {
  const t = useTranslations('work');
  const errors = useTranslations('errors');
  return useCallback(
    (error) => {
      if (!(error instanceof Refused)) return t('problems.noServer');
      const key = `codes.${String(error.more.code) as ErrorCode}` as const;
      if (errors.has(key)) return errors(key);
      if (error.status === 429) return errors('tooMany');
      if (error.status === 404) return t('problems.gone');
      return error.isPassing ? t('problems.server') : t('problems.refused', { status: error.status });
    },
    [t, errors],
  );
}
