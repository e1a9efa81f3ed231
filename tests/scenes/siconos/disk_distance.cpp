// The distance of two disks of radius 0.1 and its gradient, in the form in which Siconos loads relations: positions of
// both disks (x, y, angle each), and one row of the Jacobian, column by column.

#include <cmath>

extern "C" void distance(unsigned, const double* q, unsigned, double* y, unsigned, double*) {
  y[0] = std::hypot(q[3] - q[0], q[4] - q[1]) - 0.2;
}

extern "C" void gradient(unsigned, const double* q, unsigned, double* row, unsigned, double*) {
  const double length = std::hypot(q[3] - q[0], q[4] - q[1]);
  const double nx = (q[3] - q[0]) / length, ny = (q[4] - q[1]) / length;
  const double values[6] = {-nx, -ny, 0, nx, ny, 0};
  for (int i = 0; i < 6; ++i) row[i] = values[i];
}
