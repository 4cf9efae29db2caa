import { getLocale, getTranslations } from 'next-intl/server';
import { reasonText } from '@/app/_i18n/gate-text';
import { getWorkerFormat } from '@/app/_i18n/request';
import { EmptyState } from '@/app/_ui/empty-state';
import { State } from '@/app/_ui/state';
import type { Tone } from '@/app/_ui/tone';
import type { DecisionAboutMe } from '@/lib/services/crowd/worker';
import type messages from '@/messages/en.json';
import { AppealDialog } from '../_appeal/appeal-dialog';

const tones: Record<string, Tone> = {
  hint: 'neutral',
  refresher: 'warn',
  pause: 'warn',
  refreshed: 'good',
  resume: 'good',
  end: 'bad',
  'set-aside': 'warn',
  reinstated: 'good',
};

/** Decisions that nobody objects to. */
const endings = new Set(['resume', 'refreshed']);

type Verdict = keyof (typeof messages)['records']['verdicts'];

/** What was decided about the reader, with the reason and the way to object. */
export async function DecisionList({ decisions }: { decisions: readonly DecisionAboutMe[] }) {
  const t = await getTranslations('records');
  const format = await getWorkerFormat();
  const locale = await getLocale();
  if (decisions.length === 0) {
    return <EmptyState title={t('noDecisionsTitle')}>{t('noDecisionsText')}</EmptyState>;
  }
  return (
    <ul className="divide-y divide-line">
      {decisions.map((decision) => {
        const verdict = `verdicts.${decision.verdict as Verdict}` as const;
        const reason = reasonText(t, locale, { text: decision.reason, rule: decision.rule });
        return (
          <li key={decision.id} className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
            <div className="min-w-0 flex-1 basis-64">
              <p className="flex flex-wrap items-baseline gap-x-3">
                <State state={decision.verdict} tone={tones[decision.verdict]}>
                  {t.has(verdict) ? t(verdict) : decision.verdict}
                </State>
                <span className="text-sm text-ink-3">
                  {[
                    decision.project.name,
                    decision.stage,
                    format.dateTime(decision.at),
                    t('by', { isByRule: String(decision.isByRule) }),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </p>
              <p dir="auto" className="max-w-prose">
                {reason}
              </p>
              {reason !== decision.reason && (
                <details className="text-sm text-ink-2">
                  <summary>{t('original')}</summary>
                  <p dir="auto">{decision.reason}</p>
                </details>
              )}
              {decision.appeal && <Appeal appeal={decision.appeal} />}
            </div>
            {!decision.appeal && decision.subject === 'worker' && !endings.has(decision.verdict) && (
              <AppealDialog decisionId={decision.id} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

async function Appeal({ appeal }: { appeal: NonNullable<DecisionAboutMe['appeal']> }) {
  const t = await getTranslations('records');
  const format = await getWorkerFormat();
  const answer = {
    date: appeal.answeredAt ? format.dateTime(appeal.answeredAt) : '',
    reply: appeal.reply ?? '',
  };
  return (
    <div className="mt-2 border-s-2 border-line ps-3 text-sm text-ink-2">
      <p dir="auto" className="max-w-prose whitespace-pre-line">
        {t('youWrote', { date: format.dateTime(appeal.at), text: appeal.text })}
      </p>
      {appeal.outcome ? (
        <p dir="auto" className="mt-1 max-w-prose whitespace-pre-line text-ink">
          {appeal.outcome === 'granted' ? t('granted', answer) : t('upheld', answer)}
        </p>
      ) : (
        <p className="mt-1">{t('answerComing')}</p>
      )}
    </div>
  );
}
