import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from '@/app/_ui/icon-button';

interface Props {
  /** From 0, and of how many. */
  index: number;
  count: number;
  onGo: (index: number) => void;
}

/** To the label before and after, by the same keys in the queue and in a sample. */
export function StepButtons({ index, count, onGo }: Props) {
  return (
    <>
      <IconButton label="Previous label" shortcut="K" disabled={index === 0} onClick={() => onGo(index - 1)}>
        <ChevronLeft aria-hidden />
      </IconButton>
      <IconButton
        label="Next label"
        shortcut="J"
        disabled={index >= count - 1}
        onClick={() => onGo(index + 1)}
      >
        <ChevronRight aria-hidden />
      </IconButton>
    </>
  );
}
