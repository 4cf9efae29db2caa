export { BarChart, type BarSeries } from './bar-chart';
export { DensityMap } from './density-map';
export { HeatMap } from './heat-map';
export { Histogram } from './histogram';
export { LineChart, type LinePoint, type LineSeries } from './line-chart';
export { Scatter, type ScatterPoint } from './scatter';
