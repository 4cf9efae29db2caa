import { Check, PencilLine, Reply, X } from 'lucide-react';
import { Button } from '@/app/_ui/button';
import { Kbd } from '@/app/_ui/kbd';
import { State } from '@/app/_ui/state';
import { verdictWord } from './label-words';
import type { Mark } from './use-verdicts';

type Props = {
  mark: Mark | undefined;
  /** Why nothing can be decided here. */
  closed?: string;
  mayFix: boolean;
  onAccept: () => void;
  onReject: () => void;
  onFix: () => void;
  onSendBack: () => void;
};

/** The four ways to decide about a label, or what was decided. */
export function VerdictButtons({ mark, closed, mayFix, onAccept, onReject, onFix, onSendBack }: Props) {
  if (mark) {
    const tone =
      mark.state === 'failed'
        ? 'bad'
        : mark.verdict === 'accepted' || mark.verdict === 'corrected'
          ? 'good'
          : 'warn';
    return (
      <div className="flex min-h-20 flex-col justify-center gap-1 border-b border-line p-3">
        <State state={mark.verdict} tone={tone}>
          {mark.state === 'failed' ? 'Not decided' : verdictWord(mark.verdict)}
        </State>
        <p className="text-xs text-ink-3">
          {mark.state === 'failed'
            ? 'Somebody else was quicker, or the server refused.'
            : 'Take it back with'}{' '}
          {mark.state !== 'failed' && <Kbd keys="U" />}
        </p>
      </div>
    );
  }
  if (closed) return <p className="border-b border-line p-3 text-ink-2">{closed}</p>;
  return (
    <div className="grid grid-cols-2 gap-2 border-b border-line p-3">
      <Button variant="primary" icon={<Check aria-hidden />} onClick={onAccept}>
        Accept <Kbd keys="A" className="opacity-80" />
      </Button>
      <Button icon={<PencilLine aria-hidden />} disabled={!mayFix} onClick={onFix}>
        Fix <Kbd keys="F" />
      </Button>
      <Button icon={<X aria-hidden />} onClick={onReject}>
        Reject <Kbd keys="R" />
      </Button>
      <Button icon={<Reply aria-hidden />} onClick={onSendBack}>
        Send back <Kbd keys="B" />
      </Button>
    </div>
  );
}
