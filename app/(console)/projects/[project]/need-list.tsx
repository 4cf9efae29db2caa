import { ChevronRight } from 'lucide-react';
import Link from 'next/link';
import { State } from '@/app/_ui/state';
import type { Tone } from '@/app/_ui/tone';
import { formatCount } from '@/lib/core/format';
import type { Need } from '@/lib/services/curation/overview/needs';

interface NeedText {
  text: string;
  tone: Tone;
  href: string;
  /** Label of the page's main button. */
  act: string;
}

/** The text of a need, with a link to the page where it is resolved. */
export function tellNeed({ kind, count, stages }: Need, path: string): NeedText {
  const n = (one: string, many?: string) => formatCount(count, one, many);
  const names = stages.join(', ');
  switch (kind) {
    case 'appeals':
      return {
        text: `${n('unanswered appeal')}`,
        tone: 'bad',
        href: `${path}/crowd`,
        act: 'Answer appeals',
      };
    case 'gold-leaking':
      return {
        text: `Gold in ${names} is passed more often the more workers have seen it. Its answers may have leaked`,
        tone: 'bad',
        href: `${path}/crowd/checks`,
        act: 'Check gold exposure',
      };
    case 'pay-reviews':
      return {
        text: `${n('batch', 'batches')} to review before payment`,
        tone: 'warn',
        href: `${path}/crowd/pay`,
        act: 'Review pay',
      };
    case 'failed-jobs':
      return {
        text: `${n('job')} failed after all retries`,
        tone: 'bad',
        href: '/jobs?view=failed',
        act: 'View failed jobs',
      };
    case 'stages-without-gold':
      return {
        text: `No gold in ${names}: exams and checks are not possible`,
        tone: 'bad',
        href: `${path}/gold`,
        act: 'Add gold',
      };
    case 'gold-drifting':
      return {
        text: `${n('gold item')} recently passed far more often. The answer may have leaked`,
        tone: 'warn',
        href: `${path}/crowd/checks`,
        act: 'View drifting gold',
      };
    case 'workers-paused':
      return {
        text: `${n('worker')} paused until a curator decides`,
        tone: 'warn',
        href: `${path}/crowd?state=paused`,
        act: 'View paused workers',
      };
    case 'gold-candidates':
      return {
        text: `${n('gold candidate')} to confirm`,
        tone: 'neutral',
        href: `${path}/gold?state=candidate`,
        act: 'Confirm gold',
      };
    case 'audits-open':
      return {
        text: `${n('audit')} not finished`,
        tone: 'neutral',
        href: `${path}/audit/samples`,
        act: 'Continue auditing',
      };
    case 'consensus-half-done':
      return {
        text: `${n('consensus run')} interrupted`,
        tone: 'warn',
        href: `${path}/agreement`,
        act: 'View consensus runs',
      };
    case 'payouts-unpaid':
      return {
        text: `${n('payout')} approved but not yet paid`,
        tone: 'warn',
        href: `${path}/crowd/pay`,
        act: 'Settle payouts',
      };
    case 'stages-still':
      return {
        text: `No answers for a week in ${names}, although items are open`,
        tone: 'warn',
        href: `${path}/crowd/invite`,
        act: 'Invite workers',
      };
  }
}

/** One line per need, the most urgent first. */
export function NeedList({ needs, path }: { needs: Need[]; path: string }) {
  if (needs.length === 0) {
    return (
      <p className="px-4 py-3 text-ink-2">
        <State state="nothing" tone="good">
          Nothing needs your attention
        </State>
      </p>
    );
  }
  return (
    <ul className="divide-y divide-line">
      {needs.map((need) => {
        const { text, tone, href } = tellNeed(need, path);
        return (
          <li key={need.kind}>
            <Link href={href} className="flex min-h-9 items-center gap-3 px-4 py-1.5 hover:bg-hover">
              <State state={need.kind} tone={tone} className="min-w-0 flex-1 whitespace-normal">
                {text}
              </State>
              <ChevronRight aria-hidden className="size-4 shrink-0 text-ink-3" />
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
