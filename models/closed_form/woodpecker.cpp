// The woodpecker toy (Leine, Glocker & van Campen 2003, data of 2001): a sleeve with play on a pole, and a woodpecker
// on a spring that beats the pole with its beak, linearised for small angles. q = (y, φ_M, φ_S): height of the sleeve,
// angles of sleeve and woodpecker.
//
//   M = [m_S+m_M   m_S l_M            m_S l_G          ]     V = (m_S+m_M) g y + m_S g (l_M φ_M + l_G φ_S)
//       [          J_M + m_S l_M²     m_S l_M l_G      ]         + ½ c (φ_M − φ_S)²
//       [ sym.                        J_S + m_S l_G²   ]
//
//   beak        g = l_M + l_G − l_S − r_0 − h_S φ_S     w_T = (1, l_M, l_G − l_S)
//   lower edge  g = r_M − r_0 + h_M φ_M                 w_T = (1, r_M, 0)
//   upper edge  g = r_M − r_0 − h_M φ_M                 w_T = (1, r_M, 0)

#include "models/closed_form/closed_form.h"
#include "models/closed_form/parameter_values.h"
#include "models/drawing.h"
#include "models/list.h"

namespace carom {

namespace {

// The published start has the lower edge jammed against the pole, with φ_M rounded to −0.1036; −(r_M − r_0)/h_M, where
// its gap is 0, is −0.10345.
const ParameterSpecs& parameters() {
  static const ParameterSpecs specs =
      ParameterSpecs{positive("sleeve_mass", "3e-4", "m_M, kg"),
                     positive("sleeve_inertia", "5e-9", "J_M, kg m²"),
                     positive("mass", "4.5e-3", "of the woodpecker, m_S, kg"),
                     positive("inertia", "7e-7", "of the woodpecker, J_S, kg m²"),
                     positive("spring", "0.0056", "c, N m/rad"),
                     any_number("gravity", "9.81", "downwards, m/s²"),
                     positive("pole_radius", "2.5e-3", "r_0, m"),
                     positive("sleeve_radius", "3.1e-3", "r_M, m"),
                     positive("sleeve_half_height", "5.8e-3", "h_M, m"),
                     positive("spring_distance", "1e-2", "from the pole's axis, l_M, m"),
                     positive("centre_distance", "1.5e-2", "of the woodpecker's mass from the spring, l_G, m"),
                     positive("beak_height", "2e-2", "h_S, m"),
                     positive("beak_distance", "2.01e-2", "of the beak from the woodpecker's mass, l_S, m"),
                     as_angle(list_of(any_number("position", "[0, -0.10344827586206895, -0.2788]",
                                                 "y (m), φ_M, φ_S (rad) at the start")),
                              1),
                     as_angle(list_of(any_number("velocity", "[-0.3411, 0, -7.4583]", "of them at the start")), 1)} +
      contact_parameters("[0.5, 0, 0]", "0.3", true);
  return specs;
}

class Woodpecker final : public ClosedForm, public Drawn {
 public:
  explicit Woodpecker(const ParameterValues& values)
      : ClosedForm({{"sleeve.y", Coordinate::Kind::length},
                    {"sleeve.angle", Coordinate::Kind::angle},
                    {"woodpecker.angle", Coordinate::Kind::angle}},
                   {"sleeve", "woodpecker"}, {"beak", "lower-edge", "upper-edge"}, values.coefficients(3)),
        c_(values.number("spring")),
        play_(values.number("sleeve_radius") - values.number("pole_radius")),
        r_M_(values.number("sleeve_radius")),
        h_M_(values.number("sleeve_half_height")),
        l_M_(values.number("spring_distance")),
        l_G_(values.number("centre_distance")),
        h_S_(values.number("beak_height")),
        l_S_(values.number("beak_distance")),
        beak_play_(l_M_ + l_G_ - l_S_ - values.number("pole_radius")) {
    if (!(play_ > 0)) throw std::invalid_argument("sleeve_radius must be above pole_radius");
    const double m_S = values.number("mass"), m_M = values.number("sleeve_mass"), g = values.number("gravity");
    const Eigen::Vector3d lever(1, l_M_, l_G_);  // of the woodpecker's mass
    M_ = m_S * lever * lever.transpose();
    M_.diagonal() += Eigen::Vector3d(m_M, values.number("sleeve_inertia"), values.number("inertia"));
    weight_ = g * (m_S * lever + Eigen::Vector3d(m_M, 0, 0));
  }

  void mass(const Vec&, MassMatrix& M) const override { dense_mass(M, 3) = M_; }
  bool mass_is_constant() const override { return true; }

  double potential(double, const Vec& q) const override {
    const double twist = q(1) - q(2);
    return weight_.dot(Eigen::Vector3d(q)) + 0.5 * c_ * twist * twist;
  }

  void forces(double, const Vec& q, const Vec&, Vec& inner, Vec&) const override {
    const double moment = c_ * (q(1) - q(2));
    inner = -weight_ - Eigen::Vector3d(0, moment, -moment);
  }

  void force_gradient(double, const Vec&, const Vec&, ForceGradient& gradient) const override {
    gradient.stiffness.push_back({1, 1, c_});
    gradient.stiffness.push_back({2, 2, c_});
    gradient.stiffness.push_back({1, 2, -c_});
    gradient.stiffness.push_back({2, 1, -c_});
  }

  void contacts(const Vec& q, const Vec&, double, Contacts& contacts) const override {
    add(contacts, 0, beak_play_ - h_S_ * q(2), 2, -h_S_, {1, l_M_, l_G_ - l_S_});
    add(contacts, 1, play_ + h_M_ * q(1), 1, h_M_, {1, r_M_, 0});
    add(contacts, 2, play_ - h_M_ * q(1), 1, -h_M_, {1, r_M_, 0});
  }

  void pose(const Vec& q, Index body, double* out) const override {
    const bool sleeve = body == 0;
    out[0] = sleeve ? 0 : l_M_ + l_G_;
    out[1] = sleeve ? q(0) : q(0) + l_M_ * q(1) + l_G_ * q(2);
    out[2] = sleeve ? q(1) : q(2);
  }

  // The spring leaves the sleeve at the height of its centre; the woodpecker is seen as its back, belly and beak.
  Drawing drawing() const override {
    Drawing drawing;
    const double r_0 = r_M_ - play_, pole_height = 10;  // m: out of sight
    drawing.shapes.push_back({0, block_shape(2 * r_M_, 2 * h_M_)});
    Shape bird;
    bird.kind = Shape::Kind::polygon;
    bird.vertices = {{-l_S_, h_S_},
                     {-0.45 * l_S_, 0.7 * h_S_},
                     {-0.3 * l_S_, -0.6 * h_S_},
                     {0.1 * l_S_, -1.2 * h_S_},
                     {0.3 * l_S_, 0.6 * h_S_},
                     {-0.1 * l_S_, 1.15 * h_S_}};
    drawing.shapes.push_back({1, bird});
    drawing.lines.push_back({DrawnLine::Kind::spring, {0, {l_M_, 0, 0}}, {1, {-l_G_, 0, 0}}});
    drawing.lines.push_back({DrawnLine::Kind::bar, {0, {r_M_, 0, 0}}, {0, {l_M_, 0, 0}}});
    drawing.shapes.push_back({in_world, block_shape(2 * r_0, pole_height)});
    return drawing;
  }

 private:
  void add(Contacts& contacts, std::size_t key, double gap, Index angle, double normal,
           const Eigen::Vector3d& tangent) const {
    const bool friction = open_contact(contacts, key, gap);
    contacts.W.open_row();
    contacts.W.add(angle, normal);
    if (!friction) return;
    contacts.W.open_row();
    for (Index k = 0; k < 3; ++k) contacts.W.add(k, tangent(k));
  }

  double c_, play_, r_M_, h_M_, l_M_, l_G_, h_S_, l_S_, beak_play_;
  Eigen::Matrix3d M_;
  Eigen::Vector3d weight_;
};

Model make(const Parameters& given) {
  const ParameterValues values(given, parameters());
  return {std::make_shared<Woodpecker>(values), values.list("position", 3), values.list("velocity", 3)};
}

}  // namespace

ModelEntry woodpecker_model() {
  return {"woodpecker",
          "The woodpecker toy: slides down its pole in jerks while it pecks, a stable periodic motion of impacts and "
          "friction.",
          "sleeve.y, sleeve.angle, woodpecker.angle; small angles",
          "Leine, Glocker & van Campen 2001",
          parameters(),
          make};
}

}  // namespace carom
