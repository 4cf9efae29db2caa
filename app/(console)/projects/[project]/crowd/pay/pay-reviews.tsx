import Link from 'next/link';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { formatDateTime, formatDuration, formatMoney, formatNumber } from '@/lib/core/format';
import { MAX_LISTED_REVIEWS, type PayReview } from '@/lib/services/crowd/pay';
import { DecideReview } from './decide-review';

const reasons: Record<PayReview['reason'], string> = {
  instant: 'Faster than the policy allows',
  constant: 'Most answers identical',
};

const kinds: Record<PayReview['kind'], string> = { batch: 'batch', exam: 'exam', item: 'late answers' };

interface Props {
  slug: string;
  reviews: PayReview[];
  readOnly: boolean;
}

/** Batches and exams that are paid only after a curator has reviewed them. */
export function PayReviews({ slug, reviews, readOnly }: Props) {
  if (reviews.length === 0) return null;
  return (
    <Panel
      title="Review before payment"
      description={`Very fast work and identical answers are not paid automatically. Open the worker to see the answers, then approve or refuse.${
        reviews.length === MAX_LISTED_REVIEWS ? ` The oldest ${MAX_LISTED_REVIEWS} are listed.` : ''
      }`}
      flush
    >
      <SmallTable
        caption="Batches to review before payment"
        rows={reviews}
        rowKey={(review) => review.batchId}
        empty={null}
        columns={[
          {
            key: 'worker',
            title: 'Worker',
            cell: (review) => (
              <Link
                href={`/projects/${slug}/crowd/${review.workerId}`}
                className="font-medium underline-offset-2 hover:underline"
              >
                {review.worker}
              </Link>
            ),
          },
          {
            key: 'what',
            title: 'Work',
            cell: (review) => `${review.stage}, ${kinds[review.kind]}`,
          },
          { key: 'reason', title: 'Reason', cell: (review) => reasons[review.reason] },
          { key: 'items', title: 'Answers', numeric: true, cell: (review) => formatNumber(review.answered) },
          {
            key: 'time',
            title: 'Time taken',
            numeric: true,
            cell: (review) => formatDuration(review.seconds),
          },
          { key: 'at', title: 'Submitted, UTC', numeric: true, cell: (review) => formatDateTime(review.at) },
          {
            key: 'sum',
            title: 'Pay',
            numeric: true,
            cell: (review) => formatMoney(review.amountMicro, review.currency),
          },
          {
            key: 'act',
            title: 'Actions',
            untitled: true,
            className: 'w-0 whitespace-nowrap text-right',
            cell: (review) =>
              !readOnly && (
                <DecideReview
                  slug={slug}
                  batchId={review.batchId}
                  amount={formatMoney(review.amountMicro, review.currency)}
                  worker={review.worker}
                />
              ),
          },
        ]}
      />
    </Panel>
  );
}
