import Link from 'next/link';
import { isActiveJob, toProgress } from '@/app/_shell/job-panel';
import { JobProgress } from '@/app/_shell/job-progress';
import { RefreshWhile } from '@/app/_shell/refresh-while';
import { DefinitionList } from '@/app/_ui/definition-list';
import { FormError } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { formatNumber } from '@/lib/core/format';
import type { LoopState } from '@/lib/services/training/loop/loop-state';
import { LookAgain } from './buttons';

interface Props {
  slug: string;
  state: LoopState;
  /** Kinds of masks, or why the model cannot be used. */
  draws: number | string;
  /** Stages in which its outlines are offered. */
  offered: string[];
  policyHref: string;
  auditHref: string;
  mayStart: boolean;
}

const link = 'underline underline-offset-2';

/** How far the promoted model is with the images, and where it is used. */
export function SeenPanel({ slug, state, draws, offered, policyHref, auditHref, mayStart }: Props) {
  const { predicting, images, seen } = state;
  const isRunning = predicting !== null && isActiveJob(predicting);
  return (
    <Panel
      title="In use"
      description="The promoted model looks at every image of the project, old and new."
      actions={mayStart && !isRunning && seen < images && <LookAgain slug={slug} />}
    >
      <div className="flex flex-col gap-4">
        <RefreshWhile active={isRunning} />
        {predicting && isRunning && <JobProgress {...toProgress(predicting)} />}
        {predicting?.state === 'failed' && <FormError>{predicting.error}</FormError>}
        {typeof draws === 'string' && <FormError>{draws}</FormError>}
        <DefinitionList
          items={[
            {
              term: 'Images it has seen',
              value: `${formatNumber(seen)} of ${formatNumber(images)}`,
            },
            {
              term: 'Outlines',
              value:
                typeof draws === 'number' && draws > 0 ? (
                  offered.length > 0 ? (
                    <>
                      offered in {offered.join(', ')}{' '}
                      <Link href={policyHref} className={link}>
                        (policy)
                      </Link>
                    </>
                  ) : (
                    <>
                      not offered. Switch suggestions on in the{' '}
                      <Link href={policyHref} className={link}>
                        policy
                      </Link>
                    </>
                  )
                ) : (
                  'none: it draws no masks'
                ),
            },
            {
              term: 'Audit',
              value: (
                <Link href={auditHref} className={link}>
                  labels it disagrees with most
                </Link>
              ),
            },
          ]}
        />
      </div>
    </Panel>
  );
}
