import { Tabs } from '@/app/_ui/tabs';

interface Props {
  path: string;
  current: 'list' | 'compare';
}

export function RunTabs({ path, current }: Props) {
  const compare = `${path}/compare`;
  return (
    <Tabs
      label="Pages of training"
      current={current === 'list' ? path : compare}
      tabs={[
        { label: 'Runs', href: path },
        { label: 'Compare', href: compare },
      ]}
    />
  );
}
